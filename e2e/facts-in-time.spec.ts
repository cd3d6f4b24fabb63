import { expect, test } from './fixtures.ts'

test('a fact shows what it replaced and what it rests on, and is confirmed or replaced in place', async ({
  page,
  person,
}) => {
  const { rest } = person
  const repository = 'github.com/haldvik/planner'
  const { entity } = await rest.createEntity({
    body: {
      name: 'route-planner',
      type: 'product',
      observations: [
        { content: 'Solves Oslo to Hamburg in 7 s.', at: '2022', until: '2024' },
        {
          content: 'Written in Rust; the only service that is.',
          at: '2021-03',
          source: { title: 'Service list', url: 'https://example.org/services' },
        },
        {
          content: 'Falls back to OSRM after 800 ms.',
          at: '2026-01',
          files: [{ path: 'planner/src/fallback.rs', lines: '41-58', hash: 'a', repository }],
        },
        { content: 'No deploys: Black Friday freeze.', at: '2026-11-20', expiresAt: '2099-11-30' },
      ],
    },
  })
  const [solves] = entity.observations
  const params = { id: entity.id }
  await rest.createObservations({
    params,
    body: { content: 'Solves Oslo to Hamburg in 4 s at the median.', at: '2025-09', replaces: [solves!.id] },
  })
  await rest.verifyObservations({
    body: { repository, files: [{ path: 'planner/src/fallback.rs', hash: 'b' }] },
  })
  await page.goto(`/entities/${entity.id}`)
  const observations = page.getByRole('region', { name: 'Observations' })
  const rowOf = (text: string) => observations.getByRole('listitem').filter({ hasText: text })
  await expect(rowOf('Solves Oslo to Hamburg in 4 s')).toContainText('since Sep')
  await expect(observations.getByText('Solves Oslo to Hamburg in 7 s.')).toHaveCount(0)
  await observations.getByText('Now and before').click()
  await expect(rowOf('Solves Oslo to Hamburg in 7 s.')).toContainText('replaced in Sep 2025')

  const fallback = rowOf('Falls back to OSRM')
  await expect(fallback).toContainText('planner/src/fallback.rs:41-58 has changed')
  await fallback.getByRole('button', { name: 'Still true' }).click()
  await expect(fallback.getByText('Stale')).toHaveCount(0)

  await rowOf('Solves Oslo to Hamburg in 4 s').hover()
  await rowOf('Solves Oslo to Hamburg in 4 s').getByRole('button', { name: 'Edit observation' }).click()
  await page.getByLabel('Observation text').fill('Solves Oslo to Hamburg with 900 stops in 1.8 s.')
  await page.keyboard.press('Alt+1')
  await page.getByLabel('Began').fill('2026-11-16')
  await expect(page.getByRole('region', { name: 'What an agent will be told' })).toContainText(
    'Asked for November 2026Solves Oslo to Hamburg in 4 s at the median. Sep 2025 to 16 Nov 2026',
  )
  await page.keyboard.press('Alt+2')
  await expect(page.getByLabel('Began')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'What an agent will be told' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Correct', exact: true })).toBeVisible()
  await page.keyboard.press('Alt+1')
  await page.getByRole('button', { name: 'Replace' }).click()
  await expect(rowOf('with 900 stops')).toContainText('since 16 Nov')
  await expect(rowOf('in 4 s at the median')).toContainText('replaced on 16 Nov 2026')
  await page.getByRole('heading', { name: 'route-planner', level: 1 }).click()
  await page.keyboard.press('Control+z')
  await expect(rowOf('with 900 stops')).toHaveCount(0)

  await page.keyboard.press('[')
  await expect(page.getByText(/^As of \d/)).toBeVisible()
  await expect(observations.getByLabel('New observation')).toHaveCount(0)
  await page.getByLabel('As of').fill('2023-06-01')
  await expect(rowOf('Solves Oslo to Hamburg in 7 s.')).toBeVisible()
  await expect(rowOf('in 4 s at the median')).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(rowOf('in 4 s at the median')).toBeVisible()
})
