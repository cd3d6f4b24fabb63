import { button, changes, type Screen } from './screen.ts'

export const billingScreens: Screen[] = [
  { name: 'billing', path: '/billing', who: 'demo', whole: true },
  { name: 'billing-free', path: '/billing', who: 'newcomer', whole: true },
  {
    name: 'billing-ending',
    path: '/billing',
    who: 'demo',
    route: changes('**/api/billing/subscription', (now) => ({
      ...now,
      cancelAtPeriodEnd: true,
      status: 'active',
    })),
  },
  {
    name: 'billing-past-due',
    path: '/billing?canceled=true&plan=pro',
    who: 'demo',
    route: changes('**/api/billing/subscription', (now) => ({ ...now, status: 'past_due' })),
  },
  {
    name: 'billing-confirm-payment',
    path: '/billing',
    who: 'demo',
    route: changes('**/api/billing/subscription', (now) => ({
      ...now,
      pendingUpgrade: {
        plan: 'power-user',
        confirmUrl: 'https://pay.example/invoice',
        expiresAt: Math.floor(Date.now() / 1_000) + 20 * 3_600,
      },
    })),
  },
  { name: 'plan-change', path: '/billing', who: 'demo', act: (page) => button(page, 'Change Plan').click() },
  {
    name: 'plan-cancel',
    path: '/billing',
    who: 'demo',
    act: (page) => button(page, 'Cancel Subscription').click(),
  },
  {
    name: 'card-add',
    path: '/billing',
    who: 'demo',
    act: (page) => button(page, 'Add Payment Method').click(),
  },
  { name: 'card-remove', path: '/billing', who: 'demo', act: (page) => button(page, /^Remove Visa/).click() },
]
