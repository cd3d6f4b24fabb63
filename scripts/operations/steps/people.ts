import assert from 'node:assert/strict'
import { createRestClient } from '@loci/client/rest'
import pg from 'pg'
import { startSmtpDouble } from '../../../server/test/smtp-double.ts'
import { documented, take } from '../declared.ts'
import { configure, type Place, publicUrl, shell } from '../place.ts'
import { type Unit, unitEnvironment } from '../unit.ts'
import { ada } from './public-address.ts'

const create = [documented('loci user create EMAIL'), documented('loci user create')]
const resetPassword = documented('loci user reset-password')
const resetFactor = documented('loci user reset-second-factor EMAIL')
const grace = 'grace@example.com'
const passwordOf = (said: string) => /(?:Password {2}|new password: )(\S+)/.exec(said)?.[1] ?? said

/** Nobody signs up any more; the command still makes accounts and new passwords. */
export async function closeSignUp(place: Place, unit: Unit): Promise<void> {
  await configure(place, { LOCI_SIGN_UP: 'closed' })
  await unit.restart()
  const anybody = createRestClient({ baseUrl: publicUrl(place) })
  const person = { ...ada, email: 'mallory@example.com' }
  await assert.rejects(anybody.register({ body: person }), { code: 'sign_up_closed' })
  const env = await unitEnvironment(place)
  const [named] = create.map(take)
  const password = passwordOf(await shell(place, named!.replace('EMAIL', grace), env))
  await anybody.login({ body: { email: grace, password } })
  const next = passwordOf(await shell(place, `${take(resetPassword)} ${grace}`, env))
  await assert.rejects(anybody.login({ body: { email: grace, password } }), { code: 'invalid_credentials' })
  await anybody.login({ body: { email: grace, password: next } })
  await shell(place, take(resetFactor).replace('EMAIL', grace), env)
}

/** The link for a new password arrives, at the public address, and works. */
export async function sendMail(place: Place, unit: Unit): Promise<void> {
  const sink = await startSmtpDouble()
  try {
    await configure(place, { SMTP_URL: sink.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
    await unit.restart()
    const anybody = createRestClient({ baseUrl: publicUrl(place) })
    await anybody.requestPasswordReset({ body: { email: grace } })
    for (const end = Date.now() + 30_000; sink.mails.length === 0 && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(sink.mails[0]?.to, [grace])
    const link = /https:\/\/\S+/.exec(sink.mails[0]!.text)?.[0] ?? ''
    assert.ok(link.startsWith(`${publicUrl(place)}/`), sink.mails[0]!.text)
    assert.equal((await fetch(link, { headers: { accept: 'text/html' } })).status, 200)
  } finally {
    await configure(place, { SMTP_URL: undefined, LOCI_MAIL_FROM: undefined })
    await sink.close()
  }
}

/** A deleted account leaves no text in the database. */
export async function deleteAccount(place: Place, databaseUrl: string): Promise<void> {
  const env = await unitEnvironment(place)
  // The second read the vault of the first.
  for (const email of [ada.email, 'vault@example.com'])
    await shell(place, `loci account delete ${email} --yes`, env)
  const listed = await shell(place, 'loci account list', env)
  assert.ok(!listed.includes(ada.email) && listed.includes(grace), listed)
  assert.deepEqual(await listTablesWith(databaseUrl, [ada.email, 'Through nginx']), [])
}

/** The tables that have a row with one of these texts. */
async function listTablesWith(url: string, texts: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rowCount } = await client.query(
      `select 1 from ${name} as row where row::text like any($1) limit 1`,
      [texts.map((text) => `%${text}%`)],
    )
    if (rowCount !== 0) found.push(name)
  }
  await client.end()
  return found
}
