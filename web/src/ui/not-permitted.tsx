import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'

/** Replaces a screen that the user's role cannot open, and says which roles can. */
export const NotPermitted = ({ title, text }: { title: string; text: string }) => (
  <Page title={title} width="narrow">
    <EmptyState title="Managed by owners and admins" text={text} />
  </Page>
)
