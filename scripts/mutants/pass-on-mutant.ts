import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    mode: 'dry-run' | 'mutant'
    activeMutant: string
  }
}

// Node.js programs that a test starts from the same sources ask the environment which line is broken.
if (inject('mode') === 'mutant') process.env['__STRYKER_ACTIVE_MUTANT__'] = inject('activeMutant')
