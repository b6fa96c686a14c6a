// The layout of the six cities in the available space. Sizes in CSS pixels.

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** A site's size. */
  readonly site: { readonly width: number; readonly height: number };
  /** A city's size: the strip of its sky, then three rows of sites inside a margin. */
  readonly city: { readonly width: number; readonly height: number };
  readonly sky: number;
  readonly margin: number;
  readonly gap: number;
  /** With the floors of all players beside each tower. */
  readonly full: boolean;
}

/** Rounded down, so that sums stay within what they are parts of. */
function cents(value: number): number {
  return Math.floor(value * 100) / 100;
}

function withColumns(columns: number, width: number, height: number): Layout {
  const rows = 6 / columns;
  const small = width < 600 || height < 380;
  const gap = small ? 6 : 12;
  const margin = small ? 2 : 6;
  const sky = small ? 22 : height < 520 ? 30 : 40;
  const siteWidth = ((width - 2 - gap * (columns - 1)) / columns - 2 * margin) / 3;
  const siteHeight = ((height - 2 - gap * (rows - 1)) / rows - sky - 2 * margin) / 3;
  // The ratio of height to width of a site is bounded both ways: towers are drawn in it.
  const site = {
    width: cents(Math.min(siteWidth, siteHeight * 1.7)),
    height: cents(Math.min(siteHeight, siteWidth * 1.3)),
  };
  const city = { width: 3 * site.width + 2 * margin, height: 3 * site.height + sky + 2 * margin };
  return {
    columns,
    site,
    city,
    sky,
    margin,
    gap,
    width: columns * city.width + gap * (columns - 1) + 2,
    height: rows * city.height + gap * (rows - 1) + 2,
    full: site.width >= 70 && site.height >= 62,
  };
}

/** The layout with the largest sites; a tower's sign needs more width than height. */
export function layoutFor(width: number, height: number): Layout {
  const layouts = [3, 2, 6, 1].map((columns) => withColumns(columns, width, height));
  const least = ({ site }: Layout): number => Math.min(site.width * 0.75, site.height);
  return layouts.reduce((best, each) => (least(each) > least(best) ? each : best));
}
