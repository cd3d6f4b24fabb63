import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../../test/accounts.ts'
import { addCard, priceOf } from '../../../../test/billing.ts'
import { describeOnBothDatabases } from '../../../../test/harness.ts'
import { dayMs, secondMs } from '../../../ground/lib/time.ts'
import { listInvoiceRows } from '../invoices.repo.ts'
import { inAccount, settleAccount } from '../settle.ts'
import { getSubscriptionRow } from '../subscriptions.repo.ts'
import { isRunning, startPlan } from './plans.ts'
import { sandboxGateway } from './sandbox-gateway.ts'

const plan = fc.constantFrom(
  'starter',
  'pro',
  'power-user',
  'starter-annual',
  'pro-annual',
  'power-user-annual',
)
const step = fc.record({
  /** Seconds before the choice: often a few, sometimes months. */
  after: fc.oneof(
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 0, max: 30 * 86_400 }),
    fc.integer({ min: 0, max: 200 * 86_400 }),
  ),
  choice: fc.oneof({ weight: 6, arbitrary: plan }, { weight: 1, arbitrary: fc.constant('free') }),
})

const choiceOf = (choice: string) => ({
  plan: choice,
  priceId: choice === 'free' ? null : priceOf(choice),
})

describeOnBothDatabases('a preview in the sandbox', (server) => {
  test('is what is then charged, at once and when the period ends', async () => {
    const person = await server().signUp()
    await addCard(person)
    const { accountId } = await scopeOf(server(), person)
    const { ctx, clock } = server()
    const startedAt = clock.now
    const invoices = () => listInvoiceRows(ctx.db, accountId)
    const ensurePlan = () =>
      inAccount(ctx, accountId, async (inner, subscription) =>
        isRunning(subscription) ? subscription : startPlan(inner, subscription, 'starter'),
      )

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        for (const { after, choice } of steps) {
          clock.now += after * secondMs
          await ensurePlan()
          const before = await invoices()
          const chosen = choiceOf(choice)
          const preview = await sandboxGateway.previewChange(ctx, accountId, chosen)
          expect(await invoices()).toEqual(before)
          await sandboxGateway.changePlan(ctx, accountId, { ...chosen, previewedAt: undefined })
          const [newest] = await invoices()
          const charged = newest?.id === before[0]?.id ? undefined : newest
          expect([charged?.amount ?? 0, charged?.lines ?? []]).toEqual([preview.now, preview.lines])
          const { periodEnd } = await getSubscriptionRow(ctx.db, accountId)
          expect(periodEnd).toBe(preview.next?.at ?? periodEnd)
        }
        const { next } = await sandboxGateway.previewChange(ctx, accountId, choiceOf(steps.at(-1)!.choice))
        const before = await invoices()
        clock.now = next?.at ?? clock.now + 400 * dayMs
        await settleAccount(ctx, accountId)
        const [newest] = await invoices()
        expect(newest?.id === before[0]?.id ? null : newest?.amount).toBe(next?.amount ?? null)
      }),
      { numRuns: 30 },
    )
    clock.now = startedAt
  })
})
