import type { HealthItem, HealthKind } from '@loci/contract/health'

/** What a kind is called, and what it means. */
export const healthWords: Record<HealthKind, { title: string; about: string }> = {
  secret: { title: 'Secrets', about: 'A memory is read by every agent that it is connected to' },
  rivals: { title: 'May not both hold', about: 'Two facts about one thing, of which one may be out of date' },
  stale: { title: 'Stale', about: 'The file it rests on has changed since' },
  duplicate: { title: 'Duplicates', about: 'The same thing or the same words twice' },
  not_standalone: {
    title: 'Unclear on their own',
    about: 'They need a name or a date to be understood later',
  },
  orphan: { title: 'Not linked', about: 'Nothing leads here' },
  expired: { title: 'Expired', about: 'No longer told, and not yet deleted' },
  too_long: { title: 'Too long', about: 'Several facts in one, of which an answer has room for few' },
  never_recalled: { title: 'Never recalled', about: 'Old, and told to nobody who asked' },
}

type CuredItem = Pick<HealthItem, 'subjects' | 'cure'>

/** What would mend it, in words. */
export function describeCure({ subjects, cure: { action, content, parts } }: CuredItem): string {
  switch (action) {
    case 'erase':
      return 'Remove it for good, and change the secret itself.'
    case 'replace':
      return 'Let the newer replace the older, if only it holds.'
    case 'merge':
      return 'Merge the second into the first, if they are one.'
    case 'forget':
      return subjects.length === 1 ? 'Forget it.' : 'Forget all but the first.'
    case 'reword':
      return content === undefined ? 'Write names and dates in full.' : `Write: ${content}`
    case 'split':
      return parts === undefined ? 'Write it as several facts.' : `Split it into ${parts.length} facts.`
    case 'relate':
      return 'Relate it to what it belongs to.'
    case 'confirm':
      return 'Confirm that it still holds, or correct it.'
  }
}
