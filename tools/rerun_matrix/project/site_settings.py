"""Settings of Django, for tests with its fixtures."""

SECRET_KEY = "not one"
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
ROOT_URLCONF = "site_urls"
ALLOWED_HOSTS = ["*"]
STATIC_URL = "static/"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
