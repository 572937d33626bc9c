"""The project that is generated: tests beside the package of the apps, as a user has them."""
