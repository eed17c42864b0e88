"""Examples of the rules: for each option a record that it decides, played under both values."""
