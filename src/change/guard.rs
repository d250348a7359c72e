//! Guards: what a change set has to pass before it lands. One guard, one file.
