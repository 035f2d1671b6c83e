"""The HTTP interface: a Flask application with one blueprint a resource."""
