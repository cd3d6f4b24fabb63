import { AppError } from './app-error.ts'

/** What a database says of its own errors. */
type Outside = {
  dialect: Record<'isUnavailable' | 'isDamaged' | 'isFull' | 'isTooSlow', (error: unknown) => boolean>
}

/** The part of an error that a caller can see; `internal` for unforeseen errors. */
export function toAppError(ctx: Outside, error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error
  if (ctx.dialect.isUnavailable(error)) {
    return new AppError('database_unavailable', reasonOf(ctx, error), {
      cause: error,
      retryAfter: 1,
      details: [{ requestId }],
    })
  }
  if (ctx.dialect.isDamaged(error)) {
    return new AppError(
      'database_corrupt',
      'The database file is damaged, so nothing more is stored in it. If you run this server: stop it, run `loci check`, and restore a backup.',
      { cause: error, details: [{ requestId }] },
    )
  }
  return new AppError('internal', 'Something went wrong on our side', {
    cause: error,
    details: [{ requestId }],
  })
}

function reasonOf({ dialect }: Outside, error: unknown): string {
  if (dialect.isFull(error)) {
    return 'The database disk is full. Nothing can be stored until the person who runs this server frees up space.'
  }
  if (dialect.isTooSlow(error)) return 'The database took too long to answer. Try again in a moment.'
  return 'The database cannot be reached. Try again in a moment.'
}
