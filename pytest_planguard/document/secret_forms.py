"""The forms of vendors' keys: how each begins, what follows, and the page that documents it."""

from __future__ import annotations

import re
from typing import NamedTuple

WORD, URL, HEX, BASE64 = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[0-9a-fA-F]", "[A-Za-z0-9+/=_-]"
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


class Shape(NamedTuple):
    """The keys of a vendor."""

    kind: str
    starts: str
    """Their prefixes, separated by blanks. Each is too specific to be a word of a text."""
    rest: str
    """A pattern for the rest. It is bounded and cannot backtrack, so a scan takes linear time."""
    source: str
    """The documentation that shows the form."""


def _run(of: str, least: int, most: int = 0) -> str:
    return f"{of}{{{least},{most or max(200, 2 * least)}}}"


# Ordinary words also begin with "sk-" ("sk-learn-pipeline", "sk-2024-regression-analysis-final"). But one part of a key
# mixes letters and digits, and no part of such words does.
_MIXED = rf"(?={URL}{{0,60}}?(?:[A-Za-z]\d|\d[A-Za-z]))(?={URL}{{0,60}}?{WORD}{{12}})"

SHAPES = (
    Shape("API key (sk-…)", "sk-ant- sk-proj- sk-or- sk-svcacct- sk-admin- sk-live- sk-test- sk-lf-", _run(URL, 8, 400),
          "platform.openai.com, docs.claude.com, openrouter.ai, langfuse.com"),
    Shape("API key (sk-…)", "sk-", _MIXED + _run(URL, 16, 400), "platform.openai.com, platform.deepseek.com"),
    Shape("OpenAI client secret", "ek_", _run(URL, 20), "platform.openai.com/docs/guides/realtime"),
    Shape("ElevenLabs key", "sk_", _run(HEX, 40, 64), "elevenlabs.io/docs"),
    Shape("Google API key", "AIza", _run(URL, 30, 60), "cloud.google.com/docs/authentication/api-keys"),
    Shape("Google access token", "ya29. AQ.Ab", _run(URL, 20, 1000), "developers.google.com/identity/protocols/oauth2"),
    Shape("Google refresh token", "1//0", _run(URL, 30, 200), "developers.google.com/identity/protocols/oauth2"),
    Shape("Google client secret", "GOCSPX-", _run(URL, 20, 60), "developers.google.com/identity/protocols/oauth2"),
    Shape("provider key", "gsk_ r8_ xai- pplx- csk-", _run(WORD, 20), "console.groq.com, replicate.com, docs.x.ai"),
    Shape("provider key", "fw_ tgp_v1_", r"(?=[A-Za-z_]{0,60}\d)" + _run(URL, 20), "fireworks.ai, together.ai"),
    Shape("Hugging Face token", "hf_ api_org_", _run(WORD, 20), "huggingface.co/docs/hub/security-tokens"),
    Shape("NVIDIA key", "nvapi-", _run(URL, 20), "docs.nvidia.com/nim"),
    Shape("Tavily key", "tvly-", _run(URL, 16), "docs.tavily.com"),
    Shape("Pinecone key", "pcsk_", _run(URL, 30), "docs.pinecone.io/guides/projects/manage-api-keys"),
    Shape("Voyage key", "pa-", _run(URL, 40, 60), "docs.voyageai.com/docs/api-key-and-installation"),
    Shape("LangSmith key", "lsv2_pt_ lsv2_sk_ ls__", _run(URL, 30), "docs.smith.langchain.com"),
    Shape("Jina key", "jina_", _run(URL, 40), "jina.ai/api-dashboard"),
    Shape("Firecrawl key", "fc-", _run(HEX, 32, 32), "docs.firecrawl.dev"),
    Shape("Modal token", "ak- as-", rf"(?=[A-Za-z]{{0,22}}\d){WORD}{{22}}(?!{URL})", "modal.com/docs/reference"),
    Shape("Supabase key", "sbp_ sb_secret_", _run(URL, 30), "supabase.com/docs/guides/api/api-keys"),
    Shape("Netlify token", "nfp_", _run(URL, 36), "docs.netlify.com/api/get-started"),
    Shape("Vercel token", "vcp_ vck_ vci_ vca_ vcr_ vercel_blob_rw_", _run(URL, 24), "vercel.com/docs"),
    Shape("Fly token", "fm1r_ fm1a_ fm2_ fo1_", _run(BASE64, 30, 4000), "fly.io/docs/security/tokens"),
    Shape("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{20,120}", "docs.doppler.com"),
    Shape("PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.-]{30,80}", "planetscale.com/docs"),
    Shape("Sentry token", "sntrys_ sntryu_", _run(BASE64, 40, 600), "docs.sentry.io/account/auth-tokens"),
    Shape("Atlassian token", "ATATT3 ATCTT3 ATBB", _run(BASE64, 24, 300), "support.atlassian.com"),
    Shape("HubSpot token", "pat-na1- pat-na2- pat-eu1-", _UUID, "developers.hubspot.com/docs"),
    Shape("Airtable token", "pat", rf"{WORD}{{14}}\.{HEX}{{64}}", "airtable.com/developers/web/guides"),
    Shape("Postman key", "PMAK-", rf"{HEX}{{24}}-{HEX}{{34}}", "learning.postman.com/docs"),
    Shape("Pulumi token", "pul-", _run(HEX, 40, 40), "pulumi.com/docs"),
    Shape("Mapbox token", "sk.eyJ tk.eyJ", r"[\w-]{20,300}\.[\w-]{20,60}", "docs.mapbox.com/help/glossary"),
    Shape("CircleCI token", "CCIPAT_ CCIPRJ_", _run(URL, 40), "circleci.com/docs/managing-api-tokens"),
    Shape("Buildkite token", "bkua_ bkct_ bkaj_", _run(WORD, 36), "buildkite.com/docs/apis/managing-api-tokens"),
    Shape("RubyGems key", "rubygems_", _run(HEX, 48, 48), "guides.rubygems.org/api-key-scopes"),
    Shape("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", _run(HEX, 60, 64), "docs.digitalocean.com/reference/api"),
    Shape("age key", "AGE-SECRET-KEY-1", _run("[0-9A-Z]", 50, 64), "age-encryption.org/v1"),
    Shape("Plaid token", "access-sandbox- access-production- access-development-", _UUID, "plaid.com/docs/api/tokens"),
    Shape("Mailgun key", "key-", _run(HEX, 32, 32), "documentation.mailgun.com"),
    Shape("Brevo key", "xkeysib- xsmtpsib-", _run(URL, 60, 120), "developers.brevo.com"),
    Shape("New Relic key", "NRAK- NRII- NRRA- NRSP-", _run(URL, 20, 80), "docs.newrelic.com/docs/apis/intro-apis"),
    Shape("Dynatrace token", "dt0c01. dt0s01. dt0s02. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{40,64}", "dynatrace.com"),
    Shape("Shopify token", "shpat_ shpca_ shppa_ shpss_", _run(HEX, 32, 32), "shopify.dev/docs/apps/auth"),
    Shape("Linear key", "lin_api_ lin_oauth_", _run(WORD, 30, 80), "linear.app/developers"),
    Shape("1Password token", "ops_eyJ", _run(BASE64, 50, 4000), "developer.1password.com/docs/service-accounts"),
    Shape("Figma token", "figd_ figu_ figo_", _run(URL, 30, 80), "developers.figma.com/docs/rest-api"),
    Shape("Notion token", "ntn_ secret_", _run(WORD, 40, 60), "developers.notion.com/docs/authorization"),
    Shape("Docker token", "dckr_pat_ dckr_oat_", _run(URL, 20, 80), "docs.docker.com/security/access-tokens"),
    Shape("Vault token", "hvs. hvb. hvr.", _run(URL, 24, 400), "developer.hashicorp.com/vault/docs/concepts/tokens"),
    Shape("Databricks token", "dapi", rf"{HEX}{{32}}(?:-\d)?", "docs.databricks.com/dev-tools/auth/pat.html"),
    Shape("Grafana token", "glsa_ glc_", _run(BASE64, 30, 400), "grafana.com/docs/grafana/administration"),
    Shape("Square token", "sq0csp- sq0atp- sq0idp- sq0asp-", _run(URL, 20, 80), "developer.squareup.com/docs"),
    Shape("Artifactory key", "AKC cmVmdGtu", _run(WORD, 50, 100), "jfrog.com/help"),
    Shape("SonarQube token", "squ_ sqp_ sqa_", _run(HEX, 40, 40), "docs.sonarsource.com"),
    Shape("GitHub token", "ghp_ gho_ ghr_ ghs_ ghu_", _run(WORD, 30, 255), "docs.github.com/authentication"),
    Shape("GitHub token", "github_pat_", r"\w{22,255}", "docs.github.com/authentication"),
    Shape("GitLab token", "glpat- gldt- glft- glsoat- glrt- glimt- glptt- glcbt- glagent- gloas- GR1348941",
          r"[\w.-]{20,200}", "docs.gitlab.com/security/tokens"),
    Shape("Slack token", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-", r"[A-Za-z0-9.%-]{10,300}",
          "docs.slack.dev/authentication/tokens"),
    Shape("AWS access key id", "AKIA ASIA ABIA ACCA", r"[0-9A-Z]{16}(?![0-9A-Za-z])", "docs.aws.amazon.com/IAM"),
    Shape("AWS access key id", "A3T", r"[A-Z0-9][0-9A-Z]{16}(?![0-9A-Za-z])", "docs.aws.amazon.com/IAM"),
    Shape("Bedrock key", "ABSK bedrock-api-key-", _run(BASE64, 60, 2000), "docs.aws.amazon.com/bedrock"),
    Shape("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", _run(BASE64, 16, 200), "docs.stripe.com/keys"),
    Shape("SendGrid key", "SG.", r"[\w-]{16,64}\.[\w-]{16,64}", "docs.sendgrid.com"),
    Shape("PyPI token", "pypi-", _run(URL, 50, 400), "pypi.org/help"),
    Shape("npm token", "npm_", _run(WORD, 30, 60), "docs.npmjs.com/about-access-tokens"),
    Shape("PostHog key", "phx_", _run(WORD, 30, 60), "posthog.com/docs/api"),
    Shape("Resend key", "re_", rf"(?=[A-Za-z_]{{0,40}}\d){WORD}{{8,12}}_{WORD}{{20,30}}", "resend.com/docs"),
    Shape("Neon key", "napi_", _run(WORD, 40, 80), "neon.com/docs/manage/api-keys"),
    Shape("Heroku key", "HRKU-", _run(URL, 30, 80), "devcenter.heroku.com/articles/platform-api-reference"),
    Shape("Contentful token", "CFPAT-", _run(URL, 40, 60), "contentful.com/developers/docs"),
    Shape("Prefect key", "pnu_ pnb_", _run(WORD, 36, 40), "docs.prefect.io"),
    Shape("OpenShift token", "sha256~", _run(URL, 40, 50), "docs.openshift.com"),
    Shape("JSON Web Token", "eyJ", r"[\w-]{8,4000}\.[\w-]{0,8000}\.[\w-]{8,8000}(?:\.[\w-]{0,8000}\.[\w-]{8,200})?",
          "RFC 7519, RFC 7516"),
    Shape("bot token", "bot", r"\d{6,12}:[\w-]{30,60}", "core.telegram.org/bots/api"),
)  # fmt: skip
"""Keys by their prefixes. A public key (`pk_live_`) does not count."""

BARE = (
    (r"\d{8,10}:[\w-]{35}(?![\w-])", "bot token", "core.telegram.org/bots/api"),
    (r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])", "bot token", "discord.com/developers/docs/reference"),
    (r"[0-9a-f]{32}-us\d{1,2}(?!\w)", "Mailchimp key", "mailchimp.com/developer"),
    (r"SK[0-9a-f]{32}(?!\w)", "Twilio key", "twilio.com/docs/iam/api-keys"),
    (rf"{WORD}{{40,60}}?(?:AAAAAC|JQQJ99){WORD}{{10,40}}", "Azure key", "learn.microsoft.com/azure"),
    (rf"{WORD}{{14}}\.atlasv1\.[\w-]{{60,70}}", "Terraform token", "developer.hashicorp.com/terraform/cloud-docs"),
    (rf"{HEX}{{32}}\.[A-Za-z0-9]{{16}}(?!\w)", "Zhipu key", "docs.bigmodel.cn"),
)
"""Keys without a prefix: pattern, kind, and the documentation that shows it."""


def by_first_letters() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """Return the patterns of `SHAPES` with their kinds by the first two characters of their matches."""
    table: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for shape in SHAPES:
        for start in shape.starts.split():
            # The full stop of a sentence does not belong to the key: "Mask glpat-…." ends before it.
            pattern = re.compile(re.escape(start) + shape.rest + r"(?<!\.)", re.ASCII)
            table.setdefault(start[:2], []).append((pattern, shape.kind))
    return table
