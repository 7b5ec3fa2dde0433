// The module that has the schema `Outer.syncline`, and neither the draft nor the one of `Inner`.
