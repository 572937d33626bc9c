"""No request leaves a replay: the guard at the socket, and facts about connections and clients."""
