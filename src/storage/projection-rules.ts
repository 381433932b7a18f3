/** A page is read in one go, and each checkpoint carries a fold. */
export const MAX_PAGE_PROJECTIONS = 500;
