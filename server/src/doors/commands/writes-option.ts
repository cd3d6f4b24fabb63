import { WritePolicy } from '@loci/contract/write-policy'
import { Option } from 'commander'

/** How messages say it. */
export const wordsOfPolicy = (writes: WritePolicy) =>
  writes === 'propose' ? 'waits for a review now' : 'is stored at once now'

/** What is written waits for a review, or does not. */
export const writesOption = () =>
  new Option('--writes <policy>', 'propose: what it writes waits for a review; direct: it does not').choices(
    WritePolicy.options,
  )
