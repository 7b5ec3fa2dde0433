// The models come from the schema.
