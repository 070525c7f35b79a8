"""Small scripts that fit what the package ships as numbers, each from text that any machine has."""
