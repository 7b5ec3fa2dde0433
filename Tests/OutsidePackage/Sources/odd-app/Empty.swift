// Swift has a rule of its own for the names of such modules.
