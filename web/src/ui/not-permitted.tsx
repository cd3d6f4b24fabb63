import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'

/** A screen that the role of the person does not have, and who has it. */
export const NotPermitted = ({ title, text }: { title: string; text: string }) => (
  <Page title={title} width="narrow">
    <EmptyState title="Managed by others" text={text} />
  </Page>
)
