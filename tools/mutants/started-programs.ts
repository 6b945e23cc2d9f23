import { afterAll, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    mode: 'dry-run' | 'mutant'
    activeMutant: string
  }
}

// Node.js programs that a test starts from the same sources read from the environment which line is broken.
if (inject('mode') === 'mutant') process.env['__STRYKER_ACTIVE_MUTANT__'] = inject('activeMutant')

// Coverage in such programs is not visible here. Without any coverage, every test runs for every line. This runs before Stryker's own hook.
if (process.env['MUTANT_COVERAGE'] === 'off')
  afterAll(() => {
    const stryker: unknown = Reflect.get(globalThis, '__stryker__')
    if (typeof stryker === 'object' && stryker !== null)
      Reflect.deleteProperty(stryker, 'mutantCoverage')
  })
