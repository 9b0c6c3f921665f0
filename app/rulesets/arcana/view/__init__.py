"""What one viewer sees of a fight: values, forms, the map, texts and films."""
