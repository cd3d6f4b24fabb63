// Values are made at run time, so that no scanner of secrets finds one in this file.
let state = 1
function pick(alphabet: string, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (state * 48271) % 2147483647
    text += alphabet[state % alphabet.length]
  }
  return text
}
export const upper = (length: number) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length)
const hex = (length: number) => pick('0123456789abcdef', length)
const digits = (length: number) => pick('0123456789', length)
const letters = (length: number) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', length)
export const base62 = (length: number) =>
  pick('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', length)
const base64 = (length: number) =>
  pick('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/', length)
const url64 = (length: number) =>
  pick('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', length)
const pem = (kind: string) =>
  `-----BEGIN ${kind}-----\n${[1, 2, 3, 4].map(() => base64(64)).join('\n')}\n-----END ${kind}-----`

/** Kind, secret, and the text that it is known by if it has no form of its own. */
export const secrets: [kind: string, secret: string, put?: (secret: string) => string][] = [
  ['aws-access-key', `AKIA${upper(16)}`],
  ['aws-access-key', `ASIA${upper(16)}`],
  ['github-token', `ghp_${base62(36)}`],
  ['github-token', `ghs_${base62(36)}`],
  ['github-token', `github_pat_${base62(22)}_${base62(59)}`],
  ['gitlab-token', `glpat-${base62(20)}`],
  ['bitbucket-token', `ATBB${base62(32)}`],
  ['atlassian-token', `ATATT3${base62(186)}`],
  ['slack-token', `xoxb-${digits(12)}-${digits(12)}-${base62(24)}`],
  ['slack-token', `xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${base62(24)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/${digits(18)}/${base62(68)}`],
  ['discord-token', `M${base62(23)}.${base62(6)}.${base62(38)}`],
  ['telegram-token', `${digits(10)}:AA${base62(33)}`],
  ['stripe-key', `sk_live_${base62(24)}`],
  ['stripe-key', `rk_test_${base62(99)}`],
  ['webhook-secret', `whsec_${base64(32)}`],
  ['anthropic-key', `sk-ant-api03-${url64(93)}AA`],
  ['openai-key', `sk-proj-${url64(74)}T3BlbkFJ${url64(74)}`],
  ['openai-key', `sk-${base62(20)}T3BlbkFJ${base62(20)}`],
  ['openrouter-key', `sk-or-v1-${hex(64)}`],
  ['google-api-key', `AIza${url64(35)}`],
  ['google-oauth', `GOCSPX-${url64(28)}`],
  ['google-oauth', `ya29.${url64(120)}`],
  ['azure-secret', `${base62(3)}8Q~${base62(34)}`],
  [
    'azure-storage-key',
    `${base64(86)}==`,
    (secret) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${secret};EndpointSuffix=x`,
  ],
  ['huggingface-token', `hf_${letters(34)}`],
  ['groq-key', `gsk_${base62(52)}`],
  ['xai-key', `xai-${base62(80)}`],
  ['replicate-token', `r8_${base62(37)}`],
  ['npm-token', `npm_${base62(36)}`],
  [
    'npm-token',
    `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    (secret) => `//registry.npmjs.org/:_authToken=${secret}`,
  ],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${url64(120)}`],
  ['rubygems-key', `rubygems_${hex(48)}`],
  ['docker-token', `dckr_pat_${url64(27)}`],
  ['sendgrid-key', `SG.${url64(22)}.${url64(43)}`],
  ['mailgun-key', `key-${hex(32)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['twilio-key', `SK${hex(32)}`],
  ['shopify-token', `shpat_${hex(32)}`],
  ['square-token', `sq0atp-${url64(22)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['supabase-key', `sbp_${hex(40)}`],
  ['planetscale-token', `pscale_tkn_${base62(43)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['vault-token', `hvs.${url64(95)}`],
  ['terraform-token', `${base62(14)}.atlasv1.${base62(67)}`],
  ['doppler-token', `dp.pt.${base62(43)}`],
  ['1password-token', `ops_eyJ${base64(200)}`],
  ['age-secret-key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['grafana-token', `glsa_${base62(32)}_${hex(8)}`],
  ['sentry-token', `sntryu_${hex(64)}`],
  ['newrelic-key', `NRAK-${upper(27)}`],
  ['linear-key', `lin_api_${base62(40)}`],
  ['notion-token', `ntn_${digits(11)}${base62(35)}`],
  ['airtable-token', `pat${base62(14)}.${hex(64)}`],
  ['figma-token', `figd_${url64(40)}`],
  ['postman-key', `PMAK-${hex(24)}-${hex(34)}`],
  ['tailscale-key', `tskey-auth-${base62(12)}-${base62(32)}`],
  ['loci-key', `loci_${base62(46)}`],
  ['jwt', `eyJ${url64(20)}.eyJ${url64(60)}.${url64(43)}`],
  ['private-key', pem('RSA PRIVATE KEY')],
  ['private-key', pem('OPENSSH PRIVATE KEY')],
  ['private-key', pem('PGP PRIVATE KEY BLOCK')],
  ['private-key', pem('PRIVATE KEY').replaceAll('\n', '\\n')],
  ['private-key', pem('EC PRIVATE KEY').split('\n').slice(0, 4).join('\n')],
  ['url-password', `${base62(12)}`, (secret) => `postgres://app:${secret}@db.internal:5432/shop`],
  ['url-password', `${base62(9)}`, (secret) => `mongodb+srv://app:${secret}@cluster0.example.net`],
  ['authorization', `${hex(40)}`, (secret) => `Authorization: Bearer ${secret}`],
  ['password', `${base62(10)}`, (secret) => `curl -u ada:${secret} https://example.com`],
  ['password', `${base62(10)}`, (secret) => `machine example.com login ada password ${secret}`],
  ['aws-secret-key', `AKIA${upper(16)} / ${base64(40)}`],
  ['secret', `${base64(40)}`, (secret) => `aws_secret_access_key = ${secret}`],
  ['secret', `/${base64(18)}//${base64(19)}`, (secret) => `AWS_SECRET_ACCESS_KEY=${secret}`],
  ['secret', `${hex(32)}`, (secret) => `DD_API_KEY=${secret}`],
  ['secret', `${base62(40)}`, (secret) => `{"clientSecret": "${secret}"}`],
  ['secret', `${hex(32)}`, (secret) => `{\\"api_key\\":\\"${secret}\\"}`],
  ['secret', `${base62(32)}`, (secret) => `the token is ${secret}`],
  ['password', `${letters(6)}7`, (secret) => `my password is ${secret}`],
  ['password', `${letters(5)}${digits(3)}`, (secret) => `DB_PASSWORD=${secret}`],
  ['password', `${letters(5)}${digits(3)}`, (secret) => `{"password": "${secret}"}`],
  ['password', `${letters(5)}${digits(3)}!x`, (secret) => `DB_PASSWORD=${secret}`],
  ['password', `${letters(4)}#${digits(4)}`, (secret) => `password: "${secret}"`],
  ['password', `${letters(5)}${digits(3)}`, (secret) => `mysql --password ${secret}`],
]
