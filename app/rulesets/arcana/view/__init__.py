"""A fight as one viewer sees it: values, forms, the map, texts and films."""
