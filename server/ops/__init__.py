"""What runs a server and watches over it: processes, nodes, health, figures, copies, commands."""
