/** What is left of the steps that one check may take; below zero there is nothing more to count. */
export interface Budget {
  left: number
}

/** Counts the steps that applying something to a value takes, at most. */
export type CountSteps = (value: unknown, budget: Budget) => void
