import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A line is tested until the first test fails, so tests of many runs come last; vitest takes a class for that. */
class QuickTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => weigh(a.moduleId) - weigh(b.moduleId))
  }
}

/** Files with laws weigh more than any other. */
function weigh(file: string): number {
  const text = readFileSync(file, 'utf8')
  return text.length + (/\bnumRuns\b|fc\.assert/.test(text) ? 1_000_000 : 0)
}

// The tests of the one package that `pnpm mutants` breaks.
export default defineConfig({
  test: {
    include: [process.env['MUTANT_TESTS'] ?? 'packages/*/src/**/*.test.ts'],
    setupFiles: ['tools/mutants/short-laws.ts', 'tools/mutants/started-programs.ts'],
    // Every line counts who ran it, which makes some tests slow.
    testTimeout: Number(process.env['MUTANT_TEST_TIMEOUT_MS'] ?? 300_000),
    // They hold the text of sources, which are not as they were written here.
    exclude: ['**/schema-check/src/generate.test.ts', '**/page-script.test.ts'],
    sequence: { sequencer: QuickTestsFirst },
  },
})
