"""One WebSocket to a server: opened, watched for signs of life, closed; and waits between tries."""
