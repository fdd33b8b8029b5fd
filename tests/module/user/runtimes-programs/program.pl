# SPDX-License-Identifier: GPL-2.0
# program.pl SECONDS: Perl with recursion, regular expressions, sorting and exceptions.
use strict;
use warnings;
my $end = time + shift;
sub deep { my ($n) = @_; return $n ? deep($n - 1) . $n : "" }
while (time < $end) {
	my %h;
	my $d = deep(60);
	$h{$1}++ while $d =~ /(\d\d)/g;
	my $t = join ",", sort { $h{$a} <=> $h{$b} || $a cmp $b } keys %h;
	$t =~ s/(\d)(\d)/$2$1/g;
	eval { die { at => $t } };
}
