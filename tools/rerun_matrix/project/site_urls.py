"""One page, which makes a user of the name that it is asked for."""

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import path


def make(request, name):
    User.objects.create(username=name)
    return HttpResponse(str(User.objects.count()))


urlpatterns = [path("make/<name>", make)]
