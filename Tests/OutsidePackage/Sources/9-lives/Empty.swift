// What is isolated to the main actor by default.
