import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCard, challengeCard, goodCard, openCheckout, sendForm } from '../../../../test/billing.ts'
import { type DialectName, listenOn, testConfig } from '../../../../test/harness.ts'
import { openContext } from '../../../open-context.ts'
import type { Database } from '../../../store/schema.ts'

const declined = '4000000000000002'
const realLooking = '5105105105105100'

describe.each<DialectName>(['sqlite', 'postgres'])('card numbers (%s)', (dialect) => {
  let logged = ''
  let server: Awaited<ReturnType<typeof listenOn>>
  let place: Awaited<ReturnType<typeof testConfig>>
  beforeAll(async () => {
    const destination = new Writable({
      write(chunk, _, done) {
        logged += String(chunk)
        done()
      },
    })
    place = await testConfig(dialect)
    server = await listenOn(await openContext(place.config, pino({ level: 'trace' }, destination)))
  })
  afterAll(async () => {
    await server?.close()
    await place?.remove()
  })

  async function storedText(): Promise<string> {
    const { db } = server.ctx
    const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Database)
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
    const { dataDir } = place.config
    const files = dialect === 'sqlite' ? readdirSync(dataDir).map((name) => join(dataDir, name)) : []
    return JSON.stringify(rows) + files.map((file) => readFileSync(file, 'latin1')).join('')
  }

  test('a full card number is neither stored nor logged, whatever happens to the card', async () => {
    const person = await server.signUp()
    const { clientSecret } = await person.rest.createSetupIntent({ body: {} })
    const headers = { 'idempotency-key': 'one-card' }
    await person.rest.confirmTestCard({ body: { ...goodCard, clientSecret }, headers })
    for (const number of [declined, realLooking]) {
      await expect(addCard(person, { ...goodCard, number })).rejects.toMatchObject({ code: 'card_declined' })
    }
    const url = await openCheckout(person, 'pro')
    for (const number of [declined, `${realLooking}<`, challengeCard.number]) {
      const page = await (await sendForm(url, { number, expiry: '12/40', cvc: '123' })).text()
      expect(page).not.toContain(number)
    }
    await server.ctx.db.schema.dropTable('payment_methods').execute()
    await expect(addCard(person)).rejects.toMatchObject({ status: 500 })

    expect(logged).toContain('/api/billing/sandbox/confirm-card')
    expect(logged).toContain('payment_methods')
    const stored = await storedText()
    expect(stored).toContain(person.email)
    for (const number of [goodCard.number, declined, realLooking, challengeCard.number]) {
      for (const written of [number, number.replaceAll(' ', '')]) {
        expect(logged.includes(written), `${written} in the log`).toBe(false)
        expect(stored.includes(written), `${written} in the database`).toBe(false)
      }
    }
  })
})
