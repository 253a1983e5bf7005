// What the vectors are run through: `{ open, neutralise, truncate }`, each as one entry point of the package has it.

/** The shelf without its promise, for claim checks that don't wait. */
const atOnce = (shelf) => ({
  put: (...args) => shelf.put(...args),
  fetch: (...args) => shelf.look(...args),
  forget: (...args) => shelf.forget(...args),
});

export const SUBJECTS = {
  core: async () => {
    const { ClaimCheck, neutralise, truncate } = await import('claim-check');
    return { open: (options) => ClaimCheck.open(options), neutralise, truncate };
  },
  component: async () => {
    const { ClaimCheck, neutralise, truncate } = await import('claim-check/component');
    return { open: ({ store, ...options }) => ClaimCheck.open({ ...options, store: atOnce(store) }), neutralise, truncate };
  },
};
