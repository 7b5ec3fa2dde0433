// A target that imports the schemas of others.
