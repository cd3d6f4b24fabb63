import type { HealthKind } from '@loci/contract/health'

/** What a kind is called, and what it means. */
export const healthWords: Record<HealthKind, { title: string; about: string }> = {
  secret: { title: 'Secrets', about: 'Removing one takes it out of the fact, its history and every answer' },
  rivals: { title: 'May not both hold', about: 'Two facts about one thing, of which one may be out of date' },
  stale: { title: 'Stale', about: 'The file it rests on has changed since' },
  duplicate: { title: 'Duplicates', about: 'The same thing or the same words twice' },
  not_standalone: {
    title: 'Unclear on their own',
    about: 'They need a name or a date to be understood later',
  },
  orphan: { title: 'Not linked', about: 'Nothing leads here, so agents find it by its words only' },
  expired: { title: 'Expired', about: 'No longer told, and not yet deleted' },
  too_long: { title: 'Too long', about: 'Several facts in one, of which an answer has room for few' },
  never_recalled: { title: 'Never recalled', about: 'Old, and no answer to anything that was asked' },
}
