import { defineConfig } from 'vitest/config'

// The tests of the one package that `pnpm mutants` breaks.
export default defineConfig({
  test: {
    include: [`${process.env['MUTATED_PACKAGE'] ?? 'packages/*'}/src/**/*.test.ts`],
    testTimeout: 30_000,
  },
})
