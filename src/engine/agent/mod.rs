//! The agent loop: turns of a provider, tools with permissions, in the working copy.
//!
//! Providers answer with text and tool calls; the loop runs the calls that the permission allows and reports each. The
//! script provider plays a file of turns. Not its job: deciding what the run meant (`crate::run` reads the disk).
