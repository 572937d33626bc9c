"""Tests with the fixtures and classes of Django; a user's name is unique."""

from urllib.request import urlopen

import pytest
from apps import TICKET, summary
from ask import ask
from django.contrib.auth.models import User
from django.test import TestCase, TransactionTestCase

case = pytest.mark.planguard(TICKET, cassette="summary.yaml")


@case
def test_database(db):
    User.objects.create(username="one")
    summary(ask)
    assert User.objects.count() == 1


@case
@pytest.mark.django_db
def test_marker():
    User.objects.create(username="one")
    summary(ask)
    assert User.objects.count() == 1


@case
def test_transactional(transactional_db):
    User.objects.create(username="one")
    summary(ask)
    assert User.objects.count() == 1


@case
def test_client(client, db):
    assert client.get("/make/one").content == b"1"
    summary(ask)


@case
def test_live_server(live_server):
    assert urlopen(f"{live_server.url}/make/one").read() == b"1"
    summary(ask)


@case
def test_settings(settings, mailoutbox):
    assert settings.ROOT_URLCONF == "site_urls"
    settings.ROOT_URLCONF = "other"
    summary(ask)


@case
class TestOne(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.user = User.objects.create(username="shared")

    def test_one(self):
        User.objects.create(username="one")
        self.user.first_name = "changed"
        self.user.save()
        summary(ask)
        assert User.objects.count() == 2

    def test_two(self):
        assert self.user.first_name == ""
        User.objects.create(username="one")
        summary(ask)


@case
class TestTransactions(TransactionTestCase):
    def test_one(self):
        User.objects.create(username="one")
        summary(ask)
        assert User.objects.count() == 1
