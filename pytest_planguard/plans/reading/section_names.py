"""The meaning of headings: their words without numbering, marks and remarks, in several languages."""

import re
from functools import lru_cache

_NAMES = {
    "user scenarios": (
        "user scenarios, user scenario, user stories, user story, scenarios, 用户场景, 用户故事, 使用者情境, "
        "使用者故事, 用戶場景, 사용자 시나리오, 사용자 스토리, 유저 스토리, ユーザーシナリオ, ユーザーストーリー, "
        "escenarios de usuario, historias de usuario, cenários do usuário, cenários de usuário, "
        "histórias de usuário, scénarios utilisateur, user-storys, benutzerszenarien"
    ),
    "requirements": (
        "requirements, requirement, 需求, 要求, 要件, 요구사항, 요구 사항, requisitos, exigences, anforderungen, "
        "требования, user stories, requisiti, требования к системе"
    ),
    "success criteria": (
        "success criteria, success metrics, 成功标准, 成功標準, 成功准则, 成功条件, 成功基準, 성공 기준, "
        "criterios de éxito, critérios de sucesso, critères de succès, erfolgskriterien, критерии успеха"
    ),
    "acceptance criteria": (
        "acceptance criteria, 验收标准, 接受标准, 驗收標準, 验收准则, 受け入れ基準, 受入基準, 수용 기준, 인수 기준, "
        "criterios de aceptación, critérios de aceitação, critères d'acceptation, akzeptanzkriterien"
    ),
    "tasks": (
        "tasks, task list, subtasks, 任务, 任务列表, 任務, タスク, 작업, 태스크, tareas, tarefas, tâches, aufgaben, "
        "задачи, implementation tasks, tâches d'implémentation, tâches techniques, tareas de implementación, "
        "tarefas de implementação, attività, taken"
    ),
    "steps": (
        "steps, implementation steps, plan, implementation plan, work items, 步骤, 实施步骤, 实现步骤, 實作步驟, "
        "手順, 実装手順, 단계, pasos, passos, étapes, schritte, шаги"
    ),
    "story": (
        "story, user story, story overview, story statement, user story overview, 用户故事, 故事, ストーリー, "
        "스토리, historia, história, récit"
    ),
    "summary": "summary, 摘要, 概要, 总结, 요약, resumen, resumo, résumé, zusammenfassung",
    "technical context": (
        "technical context, 技术背景, 技术上下文, 技術背景, 技術的背景, 技術コンテキスト, 기술 컨텍스트, 기술 배경, "
        "기술적 맥락, contexto técnico, contexte technique, technischer kontext"
    ),
    "project structure": (
        "project structure, 项目结构, 專案結構, プロジェクト構造, プロジェクト構成, 프로젝트 구조, "
        "estructura del proyecto, estrutura do projeto, structure du projet, projektstruktur"
    ),
    "goal": (
        "goal, goals, purpose, aim, mission, objective, objectives, 目标, 目標, 目的, 목표, objetivo, objetivos, "
        "objectif, objectifs, ziel, ziele, цель"
    ),
    "overview": (
        "overview, summary, introduction, 簡介, 介紹, 介绍, 引言, 序論, 概述, 概览, 简介, 概要, contexte, contexto, "
        "背景, 総覧, はじめに, 개요, 소개, введение, introduzione, inleiding, einleitung, pendahuluan, giriş, "
        "wprowadzenie, مقدمة, resumen, visión general, visão geral, introducción, introdução, aperçu, überblick, "
        "обзор"
    ),
    "dependencies": (
        "dependencies, dependency, execution order, dependency graph, dependency order, phase order, "
        "dependencies & execution order, 依赖, 依赖关系, 依賴, 依賴關係, 执行顺序, 依存関係, 実行順序, 의존성, "
        "의존 관계, 종속성, 실행 순서, dependencias, dependências, dépendances, abhängigkeiten, зависимости"
    ),
    "checklist": (
        "checklist, definition of done, definition of ready, done criteria, acceptance criteria, acceptance, "
        "success criteria, quality gates, quality gate, sign-off, validation, verification, review, "
        "constitution check, prerequisites, exit criteria, completion criteria, notes, checkpoint, checkpoints, "
        "gates, checks, self-review, verification gate, anti-patterns, failure modes, pitfalls, risks, "
        "open questions, assumptions, out of scope, non-goals, deferred, residual concerns, test plan, チェック, "
        "完了チェック, 検証ゲート, 清单, 清單, 验证清单, 驗證清單, validation checklist, execution status, 检查清单, "
        "检查表, 验收标准, 完成标准, チェックリスト, audit, completion audit, debug log, change log, log, "
        "test cases, test scenarios, 测试用例, 測試用例, テストケース, done when, complete when, ready when, rules, "
        "constraints, guardrails, 完成条件, 完成條件, 检查点, 檢查點, チェックポイント, 체크포인트, 체크리스트, "
        "완료 기준, lista de verificación, checkliste, status, progress, progress tracking"
    ),
}
SYNONYMS = {meaning: tuple(names.split(", ")) for meaning, names in _NAMES.items()}
"""Names of sections in lower case, by meaning."""
_REMARK = re.compile(r"\*?\([^()]*\)\*?|（[^（）]*）|\{#[^}]*\}|<!--.*?-->")
"""A remark in a heading: "*(mandatory)*", "(AC)"."""
_TRANSLATED = re.compile(r"[(（]([^()（）]{3,60})[)）]")  # "(Acceptance Criteria)" in "接受标准 (Acceptance Criteria)"
_NUMBERING = re.compile(r"^(?:[\dIVX]{1,4}(?:\.\d+)*[.)、:]?[ \t]+|[一二三四五六七八九十]+、)")
"""Numbering of a heading: "3. ", "2.1 ", "三、"."""
_SPLIT = re.compile(r"[✅📋🔄❌⏳🚧☑✔]\ufe0f?|[ \t]+(?:-|–|—|&|\+|and|und|et|y|e)[ \t]+|[:：/|、]|和|与|및")
"""The separator of two names, or of a name and its title or state: "User Scenarios & Testing", "Tasks ✅ done"."""
_TRAILING = re.compile(r"[ \t]+#?\d+(?:\.\d+)*$")  # the number of an element: "Story 1.2"
_MARKS = re.compile(r"[*_`~#\[\]]|[^\w\s'&-]")  # characters that no name has: "**", "🎯"


@lru_cache(maxsize=2048)  # the headings of a document are compared with several meanings
def names_section(heading: str, meaning: str, *, whole: bool = False) -> bool:
    """Return True if a heading names a section of this meaning, as whole words: "## 2. Functional Requirements".

    "QA: acceptance criteria coverage" is about criteria, but does not name a section of them. A meaning is a key of
    `SYNONYMS`, or any other name. With `whole`, the name must be alone: "Overview", not "Architecture Overview".
    """
    names = SYNONYMS.get(meaning.lower(), (meaning.lower(),))
    parts = _parts(heading)
    return any(part == name or (not whole and _ends_with(part, name)) for part in parts for name in names)


def _ends_with(part: str, name: str) -> bool:
    """Return True if the words end with a name: "functional requirements" are requirements."""
    if name.isascii() or " " in part:
        return part.endswith(f" {name}")
    return part.startswith(name) or part.endswith(name)  # languages without blanks between words


@lru_cache(maxsize=512)
def _parts(heading: str) -> tuple[str, ...]:
    """Return the names in a heading, in lower case: ("user scenarios", "testing")."""
    text = _NUMBERING.sub("", _REMARK.sub(" ", heading[:200]).strip(" *_#"))
    pieces = [text, *_SPLIT.split(text)]
    if not heading.isascii():  # "接受标准 (Acceptance Criteria)" says it twice
        pieces += [remark[1] for remark in _TRANSLATED.finditer(heading[:200])]
    bare = [" ".join(_MARKS.sub(" ", _TRAILING.sub("", piece.strip()).lower()).split()) for piece in pieces]
    return tuple(dict.fromkeys(piece for piece in bare if piece))
