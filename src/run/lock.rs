//! `.consolidate-lock`: at most one consolidator per store, together with programs that follow the seeds' protocol.
