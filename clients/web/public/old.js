// For browsers that cannot read the page's own scripts: says so, in the words of index.html. Written
// for the oldest of them.
addEventListener("load", function () {
  if (document.getElementById("page") === null) {
    document.getElementById("too-old").removeAttribute("hidden");
  }
});
