"""Block real network traffic during a replay: a socket guard, and facts about connections and clients."""
