"""No request leaves a replay: the guard at the socket, and what is known of connections and clients."""
