import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addMember, signIn } from '../../../../test/accounts.ts'
import {
  addCard,
  challengeCard,
  goodCard,
  poorCard,
  priceOf,
  sendForm,
  startPaidPlan,
  startTrial,
} from '../../../../test/billing.ts'
import { describeOnBothDatabases, type Person } from '../../../../test/harness.ts'
import { restoreClock } from '../../../../test/restore-clock.ts'
import { dayMs } from '../../../ground/lib/time.ts'

const at = (text: string) => Date.parse(`${text}T10:00:00Z`)
const details = {
  name: 'Ada <Lovelace> & Co',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  taxId: 'GB123456789',
}

describeOnBothDatabases('invoices of the sandbox', (server) => {
  restoreClock(server, at('2030-01-17'))

  const newest = async ({ rest }: Pick<Person, 'rest'>) => (await rest.listInvoices()).invoices[0]!
  const pageOf = async (url: string) => (await fetch(url)).text()
  const cellsOf = (page: string) =>
    [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
        cell.replace(/<[^>]+>/g, ' ').trim(),
      ),
    )

  /** Past due since a renewal could not be paid. */
  async function fallBehind(): Promise<Person> {
    const person = await server().signUp()
    await addCard(person, poorCard)
    await startTrial(person, 'pro')
    server().clock.now = at('2030-01-31')
    expect(await person.rest.subscription()).toMatchObject({ status: 'past_due' })
    return person
  }

  test('billing details start empty, and only the owner sees and changes them', async () => {
    const person = await server().signUp()
    const empty = { ...details, name: '', line1: '', city: '', postalCode: '', country: '', taxId: '' }
    expect(await person.rest.billingDetails()).toEqual({ ...empty, editable: true })
    const padded = { ...details, name: `  ${details.name} ` }
    expect(await person.rest.updateBillingDetails({ body: padded })).toEqual({ ...details, editable: true })
    const member = await addMember(server(), person)
    await expect(member.billingDetails()).rejects.toMatchObject({ status: 403 })
    await expect(member.updateBillingDetails({ body: details })).rejects.toMatchObject({
      status: 403,
      message: 'Access denied. Only account owners can change billing plans.',
    })
    for (const wrong of [{ country: 'XX' }, { name: 'a\nb' }, { taxId: 'x'.repeat(65) }]) {
      await expect(
        person.rest.updateBillingDetails({ body: { ...details, ...wrong } }),
      ).rejects.toMatchObject({ code: 'validation_failed' })
    }
  })

  test('there is no customer portal in test mode', async () => {
    const { rest } = await server().signUp()
    await expect(rest.openBillingPortal({ body: {} })).rejects.toMatchObject({ code: 'billing_conflict' })
  })

  test('an invoice names seller, buyer and period, and adds up', async () => {
    const person = await server().signUp()
    await person.rest.updateBillingDetails({ body: details })
    await startPaidPlan(server(), person, 'pro')
    const { number, hostedInvoiceUrl, invoicePdf, amount, credit } = await newest(person)
    expect([amount, credit]).toEqual([2_000, 0])
    const page = await pageOf(hostedInvoiceUrl!)
    expect(page).toContain(`<h1>Invoice ${number}</h1>`)
    expect(page).toContain('Paid on January 31, 2030 with Visa ending in 4242')
    expect(page).toContain('<h2>From</h2><p><strong>Loci</strong></p>')
    expect(page).toContain(
      `<h2>Billed to</h2><p><strong>Ada &#60;Lovelace&#62; &#38; Co</strong><br>12 St James Square<br>SW1Y 4JH London<br>United Kingdom<br>GB123456789<br>${person.email}</p>`,
    )
    expect(page).toContain('<dt>Date due</dt><dd>January 31, 2030</dd>')
    expect(page).toContain('Amounts are in US dollars (USD). All dates are in UTC.')
    expect(page).not.toContain('<form')
    expect(cellsOf(page)).toEqual([
      ['Description', 'Qty', 'Unit price', 'Amount'],
      ['Pro (monthly)  January 31, 2030 – February 28, 2030', '1', '$20.00', '$20.00'],
      ['Subtotal', '$20.00'],
      ['Tax', '$0.00'],
      ['Total', '$20.00'],
      ['Amount paid', '$20.00'],
    ])
    expect(textOfPdf(Buffer.from(await (await fetch(invoicePdf!)).arrayBuffer()))).toEqual(
      expect.stringMatching(
        /Date due.*January 31, 2030.*Paid on January 31, 2030 with Visa ending in 4242.*From.*Loci.*Billed to.*Ada <Lovelace> & Co.*United Kingdom.*GB123456789.*Pro \(monthly\).*January 31, 2030 . February 28, 2030.*Subtotal.*Tax.*Total.*Amount paid/s,
      ),
    )
  })

  test('a total below zero is a credit', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro-annual')
    const price = priceOf('power-user')
    await person.rest.changePlan({ body: { planId: 'power-user', priceId: price } })
    const { hostedInvoiceUrl, amount, credit, invoicePdf } = await newest(person)
    expect([amount, credit]).toEqual([0, 14_000])
    const page = await pageOf(hostedInvoiceUrl!)
    expect(page).toContain('Nothing to pay')
    expect(cellsOf(page).slice(-5)).toEqual([
      ['Subtotal', '-$140.00'],
      ['Tax', '$0.00'],
      ['Total credit', '$140.00'],
      ['Kept as credit', '$140.00'],
      ['Amount paid', '$0.00'],
    ])
    const pdf = textOfPdf(Buffer.from(await (await fetch(invoicePdf!)).arrayBuffer()))
    expect(pdf).toMatch(/\$140\.00.*Total credit.*\$140\.00.*Kept as credit/s)
  })

  test('an invoice keeps the buyer of its day', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const { hostedInvoiceUrl } = await newest(person)
    await person.rest.updateBillingDetails({ body: details })
    const page = await pageOf(hostedInvoiceUrl!)
    expect(page).not.toContain('12 St James Square')
    expect(page).toContain(`<strong>${person.email}</strong>`)
  })

  test('an open invoice can be paid on its page, with a card that pays from then on', async () => {
    const person = await fallBehind()
    const { hostedInvoiceUrl, status } = await newest(person)
    expect(status).toBe('open')
    const page = await pageOf(hostedInvoiceUrl!)
    expect(page).toContain('Payment was due on January 31, 2030')
    expect(page).toContain('Pay $20.00</button>')
    const fields = { number: goodCard.number, expiry: '12/40', cvc: '123' }
    const refused = await sendForm(`${hostedInvoiceUrl}/pay`, { ...fields, number: poorCard.number })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Your card was declined.')
    expect((await person.rest.listPaymentMethods()).paymentMethods).toHaveLength(1)
    const done = await sendForm(`${hostedInvoiceUrl}/pay`, fields)
    expect([done.status, done.headers.get('location')]).toEqual([303, new URL(hostedInvoiceUrl!).pathname])
    expect(await pageOf(hostedInvoiceUrl!)).toContain('Paid on January 31, 2030 with Visa ending in 4242')
    expect(await person.rest.subscription()).toMatchObject({ plan: 'pro', status: 'active' })
    const { paymentMethods } = await person.rest.listPaymentMethods()
    expect(paymentMethods.map(({ last4, isDefault }) => [last4, isDefault])).toEqual([
      ['0341', false],
      ['4242', true],
    ])
    const again = await sendForm(`${hostedInvoiceUrl}/pay`, fields)
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('Amount paid')])
  })

  test('paying an invoice goes through the bank challenge where required', async () => {
    const person = await fallBehind()
    const { hostedInvoiceUrl } = await newest(person)
    const fields = { number: challengeCard.number, expiry: '12/40', cvc: '123' }
    const asked = await (await sendForm(`${hostedInvoiceUrl}/pay`, fields)).text()
    const sealedCard = /name="sealedCard" value="([^"]+)"/.exec(asked)?.[1]?.replaceAll('&#61;', '=') ?? ''
    const failed = await sendForm(`${hostedInvoiceUrl}/pay`, { action: 'challenge_failed', sealedCard })
    expect(failed.status).toBe(400)
    const done = await sendForm(`${hostedInvoiceUrl}/pay`, { action: 'challenge_completed', sealedCard })
    expect(done.status).toBe(303)
    expect((await newest(person)).status).toBe('paid')
  })

  test('an uncollectible invoice cannot be paid', async () => {
    const person = await fallBehind()
    const { hostedInvoiceUrl } = await newest(person)
    server().clock.now += 16 * dayMs
    const rest = await signIn(server(), person)
    expect(await rest.subscription()).toMatchObject({ plan: 'free' })
    expect(await pageOf(hostedInvoiceUrl!)).toContain('Not collected')
    const late = await sendForm(`${hostedInvoiceUrl}/pay`, {
      number: goodCard.number,
      expiry: '12/40',
      cvc: '123',
    })
    expect(late.status).toBe(409)
  })
})

/** The words of a PDF whose fonts use one byte per letter. */
function textOfPdf(pdf: Buffer): string {
  const source = pdf.toString('latin1')
  const streams = [...source.matchAll(/stream\r?\n(.*?)\nendstream/gs)].map(([, body = '']) =>
    inflateSync(Buffer.from(body, 'latin1')).toString('latin1'),
  )
  const pieces = streams.join('\n').matchAll(/\[(.*?)\] TJ/g)
  return [...pieces]
    .map(([, piece = '']) =>
      [...piece.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n')
}
