/** A kind of secret: texts without `holds` are not searched; a match, or its group `secret`, is what is removed. */
export type SecretKind = { kind: string; holds: string; pattern: RegExp }

/**
 * A token with a prefix of its own. Patterns here and below take time in proportion to the text, whatever it holds:
 * a start consumes at most a few hundred characters, or cannot lie inside what another start has consumed.
 */
function token(kind: string, holds: string, body: string): SecretKind {
  return { kind, holds, pattern: new RegExp(`(?<![A-Za-z0-9])${body}`, 'g') }
}

/**
 * Formats as their issuers publish them, and as the rules of gitleaks and secretlint (both MIT) collect them:
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml,
 * https://github.com/secretlint/secretlint/tree/master/packages/@secretlint
 */
const tokens: SecretKind[] = [
  ...['AKIA', 'ASIA'].map((start) =>
    token('aws-secret-key', start, `${start}[A-Z0-9]{16}[^A-Za-z0-9]{1,8}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`),
  ),
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((start) =>
    token('aws-access-key', start, `${start}[A-Z0-9]{16}(?![A-Za-z0-9])`),
  ),
  token('aws-bedrock-key', 'ABSK', 'ABSK[A-Za-z0-9+/]{100,280}={0,2}'),
  token('github-token', 'gh', 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  token('github-token', 'github_pat_', 'github_pat_[A-Za-z0-9_]{60,255}'),
  token(
    'gitlab-token',
    'gl',
    '(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)|GR1348941)-?[A-Za-z0-9_.-]{20,300}',
  ),
  token('bitbucket-token', 'ATBB', 'ATBB[A-Za-z0-9_=]{20,200}'),
  token('atlassian-token', 'ATATT3', 'ATATT3[A-Za-z0-9_=.-]{60,300}'),
  token('slack-token', 'xox', 'xox[abeoprs](?:[.-][A-Za-z0-9-]{8,250}|-[A-Za-z0-9.-]{8,250})'),
  token('slack-token', 'xapp-', 'xapp-[0-9]-[A-Za-z0-9-]{10,250}'),
  token(
    'slack-webhook',
    'hooks.slack.com',
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,200}',
  ),
  token(
    'discord-webhook',
    '/api/webhooks/',
    'discord(?:app)?\\.com/api/webhooks/[0-9]{15,21}/[A-Za-z0-9_-]{50,100}',
  ),
  token(
    'teams-webhook',
    '.webhook.office.com',
    '[a-z0-9]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/_-]{40,300}',
  ),
  token('telegram-token', ':AA', '[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])'),
  token('stripe-key', '_', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}'),
  token('webhook-secret', 'whsec_', 'whsec_[A-Za-z0-9+/=]{24,250}'),
  token('anthropic-key', 'sk-ant-', 'sk-ant-[A-Za-z0-9_-]{20,250}'),
  token(
    'openai-key',
    'sk-',
    'sk-(?!ant-|or-)(?=[A-Za-z0-9_-]{0,60}[0-9])(?:[a-z]{2,10}-)?[A-Za-z0-9_]{20}[A-Za-z0-9_-]{0,250}',
  ),
  token('openrouter-key', 'sk-or-', 'sk-or-(?:v1-)?[A-Za-z0-9_-]{32,128}'),
  token('google-api-key', 'AIza', 'AIza[A-Za-z0-9_-]{35}'),
  token('google-oauth', 'GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{20,64}'),
  token('google-oauth', 'ya29.', 'ya29\\.[A-Za-z0-9_-]{20,300}'),
  token('google-oauth', '1//0', '1//0[A-Za-z0-9_-]{40,200}'),
  token('azure-secret', 'Q~', '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])'),
  token('huggingface-token', 'hf_', '(?:hf|api_org)_[A-Za-z]{30,60}'),
  token('groq-key', 'gsk_', 'gsk_[A-Za-z0-9]{40,100}'),
  token('xai-key', 'xai-', 'xai-[A-Za-z0-9]{60,100}'),
  token('perplexity-key', 'pplx-', 'pplx-[A-Za-z0-9]{40,64}'),
  token('replicate-token', 'r8_', 'r8_[A-Za-z0-9]{30,64}'),
  token('langsmith-key', 'lsv2_', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  token('npm-token', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  token('pypi-token', 'pypi-', 'pypi-[A-Za-z0-9_-]{50,1000}'),
  token('rubygems-key', 'rubygems_', 'rubygems_[a-f0-9]{48}'),
  token('crates-token', 'cio', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  token('nuget-key', 'oy2', 'oy2[a-z0-9]{43}(?![A-Za-z0-9])'),
  token('clojars-token', 'CLOJARS_', 'CLOJARS_[A-Za-z0-9]{60}'),
  token('docker-token', 'dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,60}'),
  token('jfrog-token', 'AK', 'AKC[A-Za-z0-9]{64,100}'),
  token('artifactory-token', 'cmVmd', 'cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9])'),
  token('sendgrid-key', 'SG.', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}'),
  token('mailgun-key', 'key-', 'key-[a-f0-9]{32}(?![A-Za-z0-9])'),
  token('mailchimp-key', '-us', '[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])'),
  token('brevo-key', 'xkeysib-', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  token('postmark-or-resend-key', 're_', 're_[A-Za-z0-9]{8,10}_[A-Za-z0-9]{20,40}'),
  token('twilio-key', 'SK', 'SK[a-f0-9]{32}(?![A-Za-z0-9])'),
  token('shopify-token', 'shp', 'shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32,64}'),
  token('square-token', 'sq0', 'sq0[a-z]{3}-[A-Za-z0-9_-]{22,64}'),
  token('square-token', 'EAAA', 'EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])'),
  token('facebook-token', 'EAA', 'EAA[A-Za-z0-9]{80,300}'),
  token(
    'braintree-token',
    'access_token$',
    'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}',
  ),
  token('heroku-key', 'HRKU-', 'HRKU-[A-Za-z0-9_-]{36,100}'),
  token('digitalocean-token', '_v1_', 'do[opr]_v1_[a-f0-9]{64}'),
  token('cloudflare-key', 'v1.0-', 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}'),
  token('vercel-token', 'vc', 'vc[picark]_[A-Za-z0-9]{20,60}'),
  token('netlify-token', 'nf', 'nf[pcoub]_[A-Za-z0-9]{36,60}'),
  token('fly-token', 'f', '(?:fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/=]{100,1000})'),
  token('supabase-key', 'sb', 'sb(?:p|_secret)_[A-Za-z0-9_]{30,64}'),
  token('planetscale-token', 'pscale_', 'pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,64}'),
  token('neon-key', 'napi_', 'napi_[a-z0-9]{60,80}'),
  token('databricks-token', 'dapi', 'dapi[a-f0-9]{32}(?:-[0-9])?(?![A-Za-z0-9])'),
  token('vault-token', 'hv', 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}'),
  token('terraform-token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}'),
  token('pulumi-token', 'pul-', 'pul-[a-f0-9]{40}'),
  token(
    'doppler-token',
    'dp.',
    'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[A-Za-z0-9_-]{1,40}\\.)?[A-Za-z0-9]{40,44}',
  ),
  token('1password-token', 'ops_', 'ops_eyJ[A-Za-z0-9+/=_-]{80,2000}'),
  token(
    '1password-secret-key',
    'A3-',
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){1,2}[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
  ),
  token('age-secret-key', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{50,60}'),
  token('grafana-token', 'gl', 'gl(?:c_[A-Za-z0-9+/=]{32,400}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})'),
  token('sentry-token', 'sntry', 'sntry(?:s_eyJ[A-Za-z0-9+/=_-]{20,300}|u_[a-f0-9]{64})'),
  token('newrelic-key', 'NR', 'NR(?:AK|II|RA)-[A-Za-z0-9-]{20,48}'),
  token('dynatrace-token', 'dt0c01.', 'dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  token('linear-key', 'lin_', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,128}'),
  token('notion-token', 'ntn_', 'ntn_[A-Za-z0-9]{40,60}'),
  token('notion-token', 'secret_', 'secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])'),
  token('airtable-token', 'pat', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  token('figma-token', 'fig', 'fig[dou][rh]?_[A-Za-z0-9_-]{40,200}'),
  token('postman-key', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  token('dropbox-token', 'sl.', 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{100,300}'),
  token('tailscale-key', 'tskey-', 'tskey-[a-z]{2,12}-[A-Za-z0-9]{6,40}-[A-Za-z0-9]{16,60}'),
  token('shippo-token', 'shippo_', 'shippo_(?:live|test)_[a-f0-9]{40}'),
  token('alibaba-key', 'LTAI', 'LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])'),
  token('loci-key', 'loci', 'loci(?:_[A-Za-z0-9]{46}|[ars]_[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])'),
]

const tokenStart = '(?<![A-Za-z0-9_.-])'

/** Secrets known by their shape rather than by a prefix. */
const shapes: SecretKind[] = [
  {
    kind: 'private-key',
    holds: 'PRIVATE KEY',
    // The body ends where the next dashes begin; a key that was cut off has lines of base64 and no end.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,16384}-----END [A-Z0-9 ]{0,40}-----|(?:(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{30,256}){1,200})/g,
  },
  {
    kind: 'putty-key',
    holds: 'Private-Lines:',
    pattern:
      /(?<=Private-Lines: \d{1,3}(?:\s|\\[nr]){1,4})(?:[A-Za-z0-9+/=]{30,64}(?:\s|\\[nr]){0,4}){1,200}/g,
  },
  {
    kind: 'jwt',
    holds: 'eyJ',
    pattern: new RegExp(
      `${tokenStart}eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,4000}`,
      'g',
    ),
  },
  {
    kind: 'discord-token',
    holds: '.',
    pattern: new RegExp(
      `${tokenStart}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])`,
      'g',
    ),
  },
  {
    kind: 'url-password',
    holds: '://',
    pattern:
      /(?<=[a-z0-9+]:\/\/[^\s:/@"'<>`${}]{0,128}:)(?!(?:password|passwd|pass|pwd|secret|token)@|[^\s/@]{0,8}(?:\$|%s|<|\{|\*{3}))(?<secret>[^\s/@"'<>`]{3,256})(?=@[A-Za-z0-9[_-])/g,
  },
  {
    kind: 'azure-storage-key',
    holds: 'Key=',
    pattern: /(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,100}={0,2}/g,
  },
  { kind: 'signature', holds: 'sig=', pattern: /(?<=[?&]sig=)[A-Za-z0-9%+/_-]{30,150}={0,2}/g },
  {
    kind: 'npm-token',
    holds: '_auth',
    pattern: /(?<=_auth(?:Token)?\s{0,3}=\s{0,3}"?)(?!\$)[A-Za-z0-9_+/=-]{16,400}/g,
  },
  {
    kind: 'password',
    holds: 'password ',
    pattern: /(?<=\blogin\s{1,4}\S{1,64}\s{1,4}password\s{1,4})[^\s[]\S{3,200}/g,
  },
  {
    kind: 'password',
    holds: '-u',
    pattern: /(?<=\bcurl\s[^\n]{0,200}-u\s?["']?[\w.@-]{1,64}:)[^\s"'`$<{[][^\s"'`]{3,200}/g,
  },
  {
    kind: 'password',
    holds: '--',
    pattern:
      /(?<=--(?:password|passphrase|token|secret|api-key)[ =]["']?)(?=[^\s"']{0,64}[0-9])[^\s"'`$<{-][^\s"'`]{5,200}/g,
  },
  ...['Bearer ', 'bearer ', 'BEARER ', 'Basic ', 'basic ', 'BASIC '].map((scheme) => ({
    kind: 'authorization',
    holds: scheme,
    pattern: new RegExp(
      `(?<=\\b${scheme})(?=[A-Za-z0-9._~+/-]{0,200}[0-9])(?=[A-Za-z0-9._~+/-]{0,200}[A-Za-z])[A-Za-z0-9._~+/-]{20,2000}={0,2}`,
      'g',
    ),
  })),
]

export const secretKinds: readonly SecretKind[] = [...shapes.slice(0, 3), ...tokens, ...shapes.slice(3)]
