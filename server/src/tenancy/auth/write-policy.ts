import type { WritePolicy } from '@loci/contract/write-policy'

/** A policy as columns hold it: null means that writes are applied at once. */
export const readPolicy = (stored: string | null): WritePolicy =>
  stored === 'propose' ? 'propose' : 'direct'
export const writePolicy = (policy: WritePolicy): string | null => (policy === 'propose' ? policy : null)

/** Ids of the members whom a space names as reviewers. */
export const readReviewers = (stored: string | null): string[] => (stored === null ? [] : JSON.parse(stored))
