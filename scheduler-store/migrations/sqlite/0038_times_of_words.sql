-- Here posts found by words are looked up by their rows, which costs little.
SELECT 1;
