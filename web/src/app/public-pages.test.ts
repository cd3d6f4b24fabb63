import { describe, expect, test } from 'vitest'
import { renderPublicPage } from './public-pages.tsx'

const landing = renderPublicPage('landing')
const pricing = renderPublicPage('pricing')
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('landing page', () => {
  test.each([
    ['Sign In', '/login'],
    ['Dashboard', '/dashboard'],
    ['Get Started Free', '/pricing'],
    ['Learn More', '#features'],
  ])('%s leads to %s', (label, href) => {
    expect(landing).toMatch(new RegExp(`<a [^>]*href="${href}"[^>]*>${label}</a>`))
  })

  test('has its hero, six features, three steps and a link to its documentation', () => {
    expect(textOf(landing)).toContain('Persistent Memory for AI Agents')
    expect(landing.match(/id="features".*?<\/section>/s)![0].match(/<li>/g)).toHaveLength(6)
    expect(landing.match(/class="steps".*?<\/ol>/s)![0].match(/<li>/g)).toHaveLength(3)
    expect(landing).toMatch(
      /<button [^>]*data-alert="Documentation is coming soon!"[^>]*>View Documentation</,
    )
  })

  test('quotes no invented people', () => {
    const figure = landing.match(/<figure><blockquote>.*?<\/figure>/s)![0]
    expect(textOf(figure)).toContain('Our aim, in our own words.')
  })
})

test('without billing the pricing page has neither plans nor prices', () => {
  const page = renderPublicPage('no-prices')
  expect(textOf(page)).toContain('This server does not charge')
  expect(page).toContain('href="/signup"')
  expect(page).not.toMatch(/\$\d|plan-card/)
})

describe('pricing page', () => {
  test.each(['starter', 'pro', 'power-user'])('%s can be chosen by the month and by the year', (plan) => {
    for (const billing of ['monthly', 'annual']) {
      expect(pricing).toContain(`href="/signup?plan=${plan}&amp;billing=${billing}"`)
    }
  })

  test('Free leads to a plain sign-up, and unsold plans are not shown', () => {
    expect(pricing).toContain('href="/signup">Get Started Free')
    expect(pricing.match(/class="plan-card"/g)).toHaveLength(4)
    expect(pricing).not.toContain('plan=team')
  })

  test.each([
    'Save 17%',
    'Most Popular',
    '$8.33',
    'Billed $100 a year',
    '$16.67',
    'Contact Sales',
    'Schedule Demo',
    '14 days',
    'next billing cycle',
    'rate limited',
  ])('says %s', (text) => {
    expect(textOf(pricing)).toContain(text)
  })
})

test.each([
  ['landing', landing],
  ['pricing', pricing],
])('%s needs no script and no style in its text, which the policy would refuse', (_name, html) => {
  expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})
