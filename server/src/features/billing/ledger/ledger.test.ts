import { expect, test } from 'vitest'
import { scopeOf } from '../../../../test/accounts.ts'
import { addCard, disputingCard, startPaidPlan } from '../../../../test/billing.ts'
import { runLociInProcess } from '../../../../test/command-in-process.ts'
import { describeOnBothDatabases } from '../../../../test/harness.ts'
import { environmentOf } from '../../../../test/loci-command.ts'
import { restoreClock } from '../../../../test/restore-clock.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { checkDueBooks, describeLedger, differingBooks, oldestCheckSeconds } from './check-ledger.ts'

describeOnBothDatabases('the ledger on the command line', (server) => {
  restoreClock(server)

  test('is exported for a bookkeeper, corrected, and compared with the invoices', async () => {
    server().clock.now = Date.parse('2030-01-17T10:00:00Z')
    const person = await server().signUp()
    await addCard(person, disputingCard)
    await startPaidPlan(server(), person, 'pro')
    const { number, id } = (await person.rest.listInvoices()).invoices[0]!
    const run = (...args: string[]) => runLociInProcess(args, { env: environmentOf(server().config) })

    const closed = await run('billing', 'close-dispute', person.email, number, 'won')
    expect(closed).toMatchObject({ code: 0, stdout: `The dispute of ${number} is won.\n` })
    const refunded = await run('billing', 'refund', person.email, number, '--amount', '4.50')
    expect(refunded).toMatchObject({ code: 0, stdout: `Refunded $4.50 of ${number}.\n` })
    const tooMuch = await run('billing', 'credit', person.email, number, '--amount', '15.51')
    expect(tooMuch.code).toBe(1)
    expect(tooMuch.stderr).toContain('At most $15.50 is left of this invoice.')
    expect((await run('billing', 'refund', person.email, number, '--amount', '1,5')).code).toBe(1)

    const january = await run('ledger', 'export', '--from', '2030-01-31', '--before', '2030-02-01')
    const [head, ...lines] = january.stdout.trim().split('\r\n')
    expect(head).toBe('time,account,owner,invoice,kind,debit,credit,amount,currency,source,id')
    const own = lines.filter((line) => line.includes(number)).map((line) => line.split(','))
    expect(
      own
        .map(([time, , owner, , kind, debit, credit, amount, currency]) => {
          return [time, owner, kind, debit, credit, amount, currency].join(' ')
        })
        .sort(),
    ).toEqual([
      `2030-01-31T10:00:00.000Z ${person.email} disputed disputes cash 20.00 USD`,
      `2030-01-31T10:00:00.000Z ${person.email} invoiced receivable revenue 20.00 USD`,
      `2030-01-31T10:00:00.000Z ${person.email} paid cash receivable 20.00 USD`,
    ])

    const before = await run('ledger', 'check')
    expect(before.stdout).toMatch(/^Checked the books of \d+ accounts: 0 differ\n$/)
    const { accountId } = await scopeOf(server(), person)
    await server()
      .ctx.db.deleteFrom('ledger_entries')
      .where('account_id', '=', accountId)
      .where('id', '=', `${id}/payment:paid`)
      .execute()
    const after = await run('ledger', 'check')
    expect(after.code).toBe(1)
    expect(after.stdout).toContain(`${number} receivable: $20.00 in the books, $0.00 at the gateway`)
    expect(after.stdout).toContain(`${number} cash: $0.00 in the books, $20.00 at the gateway`)
    expect(await differingBooks(server().ctx)).toBe(1)
    const doctor = await run('doctor', '--json')
    expect(doctor.stdout).toContain('The books of 1 account differ')
  })

  test('is compared once a day, and somebody is told if it is not', async () => {
    const { ctx, clock } = server()
    const person = await server().signUp()
    await addCard(person)
    await startPaidPlan(server(), person, 'pro')
    await checkDueBooks({ ...ctx, now: () => clock.now + 100 * 365 * dayMs })
    const far = { ...ctx, now: () => clock.now + 102 * 365 * dayMs }
    expect((await describeLedger(far)).overdueSince).toBeGreaterThan(clock.now)
    await checkDueBooks(far)
    expect((await describeLedger(far)).overdueSince).toBeUndefined()
    expect(await oldestCheckSeconds(ctx)).toBe(Math.floor(far.now() / 1_000))
  })
})
