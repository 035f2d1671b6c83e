"""Endpoints that flask-smorest describes when the OpenAPI document is asked for, and not while the service starts."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask_smorest import Api, Blueprint

from fracas.engine.requests import DiceSchema
from fracas.web import encounter_answers
from fracas.web.schemas import ErrorSchema


class DocumentedApi(Api):
    """flask-smorest's extension, late with its descriptions.

    It installs no error handlers either: ours (`errors.install`) keep the headers and have one body.
    """

    ERROR_SCHEMA = ErrorSchema

    def __init__(self, app: Flask) -> None:
        self._undescribed: list[Blueprint] = []
        super().__init__(app)

    def register_blueprint(self, blueprint: Blueprint) -> None:
        """Add endpoints to the application."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint)
        self._undescribed.append(blueprint)

    def described(self) -> dict[str, Any]:
        """The document as flask-smorest and the schemas give it."""
        if self._undescribed:
            self.spec.components.schema("Dice", schema=DiceSchema())
            encounter_answers.describe(self)
        for blueprint in self._undescribed:
            blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
            self.spec.tag({"name": blueprint.name, "description": blueprint.description})
        self._undescribed.clear()
        found: dict[str, Any] = self.spec.to_dict()
        return found

    def _register_error_handlers(self) -> None:
        """Not here, see above."""
