// A file that is called like a manifest, as one of a model “Package” would be.
