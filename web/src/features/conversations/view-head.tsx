import { Button, Kbd, Title } from '@mantine/core'
import classes from './conversation-view.module.css'
import type { useFolds } from './use-folds.ts'

type HeadProps = { shown: string; led: string; folds: ReturnType<typeof useFolds> }

/** The titles of the two columns. */
export function ViewHead({ shown, led, folds }: HeadProps) {
  return (
    <div className={classes.heads}>
      <div className={classes.head}>
        <Title order={2} className={classes.title}>
          What was said
        </Title>
        <span className={classes.dim}>{shown}</span>
        {folds.count > 0 && (
          <Button
            className={classes.tools}
            variant="subtle"
            size="compact-sm"
            rightSection={
              <Kbd size="xs" className={classes.key} aria-hidden>
                T
              </Kbd>
            }
            onClick={folds.toggleAll}
          >
            {folds.isAllOpen ? 'Fold tools' : 'Unfold tools'}
          </Button>
        )}
      </div>
      <div className={classes.ledHead}>
        <Title order={2} className={classes.title}>
          What it led to
        </Title>
        <span className={classes.dim}>{led}</span>
      </div>
    </div>
  )
}
