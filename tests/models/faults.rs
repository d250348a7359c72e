//! What goes wrong between a model and us.
