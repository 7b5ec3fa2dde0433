// The models are generated from the schema.
