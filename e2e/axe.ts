import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of these tags that look at colours: the others find the same in every colour scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds wrong on a page, or in the part of it that a selector names: each rule and the first element
 * that breaks it.
 */
export async function violationsIn(page: Page, part?: string, coloursOnly = false): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  if (coloursOnly) axe.withRules(colourRules)
  else axe.withTags(tags)
  // Otherwise each run opens a page of its own to merge the results of frames, which takes longer than the rules.
  axe.setLegacyMode(part !== 'iframe')
  if (part) axe.include(part)
  // A part has no landmarks of its own.
  if (part && !coloursOnly) axe.disableRules('region')
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}
